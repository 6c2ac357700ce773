/** What others may use of this feature. */
export { homeQuery } from './data/home.ts';
export { NextStep } from './next-step.tsx';
