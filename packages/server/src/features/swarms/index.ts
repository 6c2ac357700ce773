export {
  readEndedSessions,
  readGradedBefore,
  readSessionToExport,
} from './store/ended-sessions.ts';
export { readCriteria, readEvidence } from './store/graded-sessions.ts';
export { findJourneySnapshot } from './store/journey-snapshots.ts';
export {
  type ListedSwarmSession,
  readNewestSwarmSessions,
  readSwarmSessionsSeenBy,
  readSwarmSessionsThatMaySay,
} from './store/listed-swarm-sessions.ts';
export { runsOfJourneys } from './store/measure-journey-runs.ts';
export {
  listJourneyRunsToRetain,
  removeJourneyRuns,
  removeJourneyTraces,
} from './store/remove-journey-runs.ts';
export { readSwarmTrace } from './store/swarm-sessions.ts';
