/** An account with what was booked on it, in cents. */
export class Account {
  constructor(owner, limit) {
    this.owner = owner;
    this.limit = limit;
    this.bookings = [];
  }

  book(cents) {
    this.bookings.push(cents);
    return this;
  }

  balance() {
    return this.bookings.reduce((sum, cents) => sum + cents, 0);
  }

  isOverdrawn() {
    return this.balance() < -this.limit;
  }
}
