/** Running mean and variance (B. P. Welford, Technometrics 1962). */
export class Moments {
  count = 0;
  mean = 0;
  /** Sum of the squared distances from the mean. */
  squares = 0;

  add(value: number): void {
    this.count += 1;
    const off = value - this.mean;
    this.mean += off / this.count;
    this.squares += off * (value - this.mean);
  }

  /** Population variance; 0 if there are no numbers. */
  get variance(): number {
    return this.count === 0 ? 0 : this.squares / this.count;
  }
}
