/** The parts of clients that other features may use. */
export { findClientToPlay } from './operations/client-to-play.ts';
export { findClientCandidates, findClientNames, readClient } from './store/clients.ts';
