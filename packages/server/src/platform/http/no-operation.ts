export const noOperation = {
  code: 'NOT_FOUND',
  message: 'There is no such operation; see /reference.',
} as const;
