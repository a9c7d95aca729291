export function Panel() {
  return <h2>Own systems</h2>;
}
