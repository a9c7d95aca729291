import { checked, text } from '../state.ts';

/** The text of the scenario in a plain field, and what is wrong with it: until the editor is loaded. */
export function PlainEditor() {
  const found = checked.value;
  const problems = found?.ok === false ? found.problems : [];
  return (
    <div class="editor">
      <textarea
        aria-label="Scenario, in YAML or JSON"
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <ul class="problems" aria-live="polite">
        {problems.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
