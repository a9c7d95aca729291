export function Panel() {
  return <h2>Optimal play</h2>;
}
