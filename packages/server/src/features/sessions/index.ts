export { titleOfSwarmSession } from './operations/find-sessions.ts';
export { presentChain } from './operations/present-chain.ts';
