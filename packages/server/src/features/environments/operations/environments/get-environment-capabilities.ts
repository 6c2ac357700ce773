import type { Action } from '../../../../platform/operations/action.ts';

/**
 * An environment's model overrides the model of its client. One combination of settings may have
 * one environment per model.
 */
export const getEnvironmentCapabilities: Action<'getEnvironmentCapabilities'> = async () => ({
  modelOverrides: true,
  modelMatrix: true,
});
