export { presentServer } from './operations/present-server.ts';
export { refuseBlockedUrls } from './operations/refuse-blocked-urls.ts';
export { serverNameTaken } from './operations/server-name-taken.ts';
export { orRefusal } from './operations/speak-to-server.ts';
export { type TargetDependencies, targetOf, targetWith } from './operations/target-of.ts';
export type { ServersParts } from './servers-context.ts';
export { findGrantedServers } from './store/oauth-grants.ts';
export { holdsOperatorServers } from './store/operator-servers.ts';
export {
  openPinned,
  type PinnedServer,
  pinServers,
  readPinned,
  sealPinned,
} from './store/pinned-servers.ts';
export { pinnedServersField } from './store/sealed-fields.ts';
export { sealAddresses } from './store/server-addresses.ts';
export { readServerAttachment } from './store/server-attachments.ts';
export { listNamedServers, type NamedServer } from './store/server-names.ts';
export { findServerIds, findServerToCall, readServer, readServersOf } from './store/servers.ts';
