import type { Refusal } from '@proofmark/domain';

export const serverNameTaken: Refusal = {
  code: 'CONFLICT',
  message: 'Another server of the project has this name; choose another name.',
  details: { path: 'body.name', reason: 'NAME_TAKEN' },
};
