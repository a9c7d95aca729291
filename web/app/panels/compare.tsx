/** Way 4: this scenario and a changed copy, what one step of each field does, what makes it even. */
import '../../style/studies.css';
import { BalanceSearch } from '../compare/balance.tsx';
import { Copy } from '../compare/copy.tsx';
import { SensitivityStudy } from '../compare/sensitivity.tsx';

export function Panel() {
  return (
    <div class="studies">
      <Copy />
      <SensitivityStudy />
      <BalanceSearch />
    </div>
  );
}
