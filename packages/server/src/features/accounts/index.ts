/** The exports of accounts for other features. */
export type { AccountsParts } from './accounts-context.ts';
export { getProjectCapabilities } from './operations/get-project-capabilities.ts';
