/** Sweep panel: one or two fields as line chart or heat map. */
import '../../style/studies.css';
import { useFields } from '../figures/settable-fields.ts';
import { SweepResults } from '../sweep/results.tsx';
import { Setup } from '../sweep/setup.tsx';

export function Panel() {
  const fields = useFields();
  return (
    <section class="studies" aria-label="Sweep">
      <h2>Sweep one or two fields</h2>
      <Setup fields={fields} />
      <SweepResults />
    </section>
  );
}
