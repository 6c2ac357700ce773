export type { AccountsParts } from './accounts-context.ts';
export { getProjectCapabilities } from './operations/get-project-capabilities.ts';
