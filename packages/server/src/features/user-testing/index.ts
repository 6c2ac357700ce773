/** What other features use of user-testing. */
export { readEndedVisits, readOutcomesBefore, readVisitToExport } from './store/ended-visits.ts';
export { forgetVisits, listOldVisits } from './store/forget-visits.ts';
export {
  type ListedVisit,
  readNewestVisits,
  readSaid,
  readVisitsThatMaySay,
} from './store/read-visits.ts';
export type { ApprovalState, NewApproval } from './store/visitor-approvals.ts';
export type { EarlierTurn, TurnBeat } from './store/visitor-turns.ts';
export { listedNow } from './turns/listed-now.ts';
export { playVisitorTurn } from './turns/play-visitor-turn.ts';
export { type ShownResult, shownToVisitor } from './turns/shown-result.ts';
export { TurnBeats, TurnStopped } from './turns/turn-beats.ts';
export type { TurnDependencies } from './turns/turn-dependencies.ts';
export { TurnLines } from './turns/turn-lines.ts';
export type { ErrorLine } from './turns/turn-words.ts';
export { WatchedTurn } from './turns/watch-turn.ts';
