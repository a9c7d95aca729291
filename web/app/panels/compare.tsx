export function Panel() {
  return <h2>Compare</h2>;
}
