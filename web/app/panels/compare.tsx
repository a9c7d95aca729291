/** Compare panel: changed copy, sensitivity, balance. */
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
