export function Panel() {
  return <h2>A battle told</h2>;
}
