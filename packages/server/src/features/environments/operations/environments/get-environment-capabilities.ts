import type { Action } from '../../../../platform/operations/action.ts';

/**
 * A model of an environment overrides that of its client, and one combination may have an
 * environment per model.
 */
export const getEnvironmentCapabilities: Action<'getEnvironmentCapabilities'> = async () => ({
  modelOverrides: true,
  modelMatrix: true,
});
