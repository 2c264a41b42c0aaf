/** What a bank tells of its accounts. */
export class Report {
  constructor(accounts) {
    this.accounts = accounts;
  }

  lines() {
    return this.accounts.map((account) => {
      const sign = account.isOverdrawn() ? " !" : "";
      return `${account.owner}: ${account.balance()}${sign}`;
    });
  }

  total() {
    return this.accounts.reduce((sum, account) => sum + account.balance(), 0);
  }
}
