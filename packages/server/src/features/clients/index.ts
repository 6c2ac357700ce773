export { findClientToPlay } from './operations/client-to-play.ts';
export { findClientCandidates, findClientNames, readClient } from './store/clients.ts';
