/** The parts of sessions that other features may use. */
export { titleOfSwarmSession } from './operations/find-sessions.ts';
export { presentChain } from './operations/present-chain.ts';
