export type { PersonTurn } from './person-turn.ts';
export { runTurn } from './run-turn.ts';
export { type ShownResult, shownToVisitor } from './shown-result.ts';
export { TurnBeats } from './turn-beats.ts';
export type { TurnDependencies } from './turn-dependencies.ts';
export { errorOfTurn, type TurnErrors } from './turn-errors.ts';
export type { ApprovalState, EarlierTurn, NewApproval, TurnBeat } from './turn-rows.ts';
