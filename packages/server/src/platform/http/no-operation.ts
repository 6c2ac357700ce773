export const noOperation = {
  code: 'NOT_FOUND',
  message: 'This operation does not exist; see /reference.',
} as const;
