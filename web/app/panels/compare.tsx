/** Way 4: this scenario and a changed copy, what one step of each field does, what makes it even. */
import '../../style/studies.css';
import { Copy } from '../compare/copy.tsx';
import { Even } from '../compare/even.tsx';
import { Steps } from '../compare/steps.tsx';

export function Panel() {
  return (
    <div class="studies">
      <Copy />
      <Steps />
      <Even />
    </div>
  );
}
