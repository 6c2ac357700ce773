export { homeQuery } from './data/home.ts';
export { NextStep } from './next-step.tsx';
export { ProjectOverview } from './project-overview.tsx';
