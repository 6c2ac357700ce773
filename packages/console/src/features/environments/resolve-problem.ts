/**
 * Derives from the error's code why an environment cannot be resolved. The error's message is only
 * shown, never parsed.
 */
import { ApiError } from '@proofmark/client';
import { environmentConflicts, type FoundConflict } from '@proofmark/domain';

export interface ResolveProblem {
  readonly title: string;
  readonly message: string;
  /**
   * The place to fix the problem: this environment's form, its client's page, or the button that
   * restores the environment.
   */
  readonly mendedIn: 'form' | 'client' | 'restore';
  /** Id of the part that no longer exists. */
  readonly missingId?: string;
}

export function resolveProblem(error: Error): ResolveProblem | undefined {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return undefined;
  const code = environmentConflicts.find((one) => one === error.details['code']);
  if (code === undefined) return undefined;
  const { missingId } = error.details;
  const [title, mendedIn] = words[code];
  return {
    title,
    message: error.message,
    mendedIn,
    ...(typeof missingId === 'string' ? { missingId } : {}),
  };
}

const words: Readonly<Record<FoundConflict, readonly [string, ResolveProblem['mendedIn']]>> = {
  ENV_ARCHIVED: ['It is archived', 'restore'],
  ENV_HOST_NOT_FOUND: ['Its client is gone', 'form'],
  ENV_MODEL_REQUIRED: ['It has no model', 'form'],
  ENV_SERVER_ATTACHMENT_NOT_FOUND: ['Its server group is gone', 'form'],
  ENV_SERVER_NOT_FOUND: ['A server is gone', 'client'],
  ENV_SKILL_NOT_FOUND: ['A skill is gone', 'form'],
  ENV_PLUGIN_VERSION_NOT_FOUND: ['A plugin version is gone', 'form'],
  ENV_NO_SERVERS: ['It has no servers', 'client'],
};
