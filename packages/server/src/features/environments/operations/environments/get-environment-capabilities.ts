import type { Action } from '../../../../platform/operations/action.ts';

/**
 * An environment's model overrides that of its client, and one combination of settings may have an
 * environment per model.
 */
export const getEnvironmentCapabilities: Action<'getEnvironmentCapabilities'> = async () => ({
  modelOverrides: true,
  modelMatrix: true,
});
