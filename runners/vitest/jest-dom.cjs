const { default: Page } = require("@jest/environment-jsdom-abstract");
const jsdom = require("jsdom");

/** A page for tests written for Jest, by the same jsdom as for others. */
module.exports = class extends Page {
  constructor(config, context) {
    super(config, context, jsdom);
  }
};
