export function Panel() {
  return <h2>Answer</h2>;
}
