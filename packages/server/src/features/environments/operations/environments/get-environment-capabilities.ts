import type { Action } from '../../../../platform/operations/action.ts';

/** A model of an environment goes before its client's, and there may be an environment for each model. */
export const getEnvironmentCapabilities: Action<'getEnvironmentCapabilities'> = async () => ({
  modelOverrides: true,
  modelMatrix: true,
});
