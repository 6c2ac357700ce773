import type { Refusal } from '../kernel/refusal.ts';
import type { FoundConflict } from './environment-conflicts.ts';

export function environmentConflictRefusal(found: {
  readonly conflict: FoundConflict;
  readonly missingId?: string;
}): Refusal {
  const { conflict, missingId } = found;
  return {
    code: 'CONFLICT',
    message: sentences[conflict],
    details: {
      code: conflict,
      ...(conflict === 'ENV_MODEL_REQUIRED' ? { reason: 'environment_model_required' } : {}),
      ...(missingId === undefined ? {} : { missingId }),
    },
  };
}

const sentences: Readonly<Record<FoundConflict, string>> = {
  ENV_ARCHIVED: 'The environment is archived; restore it first.',
  ENV_HOST_NOT_FOUND: 'The client of this environment no longer exists; choose another.',
  ENV_MODEL_REQUIRED: 'Neither the environment nor its client names a model; name one.',
  ENV_SERVER_ATTACHMENT_NOT_FOUND:
    'The server group of this environment no longer exists; choose another or clear it.',
  ENV_SERVER_NOT_FOUND:
    'A server this environment needs no longer exists; remove it from the environment or save it again.',
  ENV_SKILL_NOT_FOUND: 'A skill this environment needs no longer exists; choose others.',
  ENV_PLUGIN_VERSION_NOT_FOUND:
    'A plugin version this environment pins no longer exists; choose another.',
  ENV_NO_SERVERS: 'The environment has no servers; attach one to its client or choose a group.',
};
