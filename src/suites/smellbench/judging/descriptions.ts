import type { Smell } from "../case/smells.js";

/** What a judge is told of a kind of smell, in our words. */
export const DESCRIPTIONS: Readonly<Record<Smell, string>> = {
  feature_envy:
    "A method works mostly with the data of another class, which it asks for piece by piece. It is gone when the work is done by the class whose data they are.",
  god_classes:
    "One class has taken over the duties of several: it holds data that have nothing to do with each other, and everything goes through it. It is gone when each duty has a class or module of its own and the one that is left coordinates at most.",
  data_clumps:
    "The same few values travel together through many signatures and calls, or are copied together from place to place. It is gone when they are one thing with a name, which the code passes on and asks.",
  shotgun_surgery:
    "One decision is written down in several files, so that to change it all of them have to be changed alike. It is gone when the decision stands in one place and the others use it.",
  dead_code_elimination:
    "Code that nothing reaches or whose result nothing uses: functions, branches, parameters, imports, and what only they need. It is gone when all of it is removed and nothing that is used went with it.",
  interface_segregation:
    "An interface or base class asks for more than its users need, so that they implement or depend on methods that mean nothing for them. It is gone when each user sees only what it uses.",
  deeply_inlined_method:
    "What were small methods that call each other was written out into one long body, levels of detail side by side. It is gone when the steps are methods with names again and the long body reads as their sequence.",
};
