/** How large a message of a saved server may be. */
export const largestMessages = /* sql */ `
  -- MiB; null for the usual.
  alter table servers add column max_message_mib integer check (max_message_mib between 1 and 32);
`;
