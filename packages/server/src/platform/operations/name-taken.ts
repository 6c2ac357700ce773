import type { Refusal } from '@proofmark/domain';

export function nameTaken(what: 'environment' | 'plugin' | 'server group' | 'skill'): Refusal {
  return {
    code: 'CONFLICT',
    message: `Another ${what} of the project has this name; choose another name.`,
    details: { path: 'body.name', reason: 'NAME_TAKEN' },
  };
}
