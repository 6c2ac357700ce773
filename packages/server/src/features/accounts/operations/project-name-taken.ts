import type { Refusal } from '@proofmark/domain';

export const projectNameTaken: Refusal = {
  code: 'CONFLICT',
  message: 'Another project of the organization has this name; choose another name.',
  details: { path: 'body.name', reason: 'NAME_TAKEN' },
};
