export function Panel() {
  return <h2>Sweep</h2>;
}
