/** Whether the service is for one person on its machine. Workers alone cannot see where it listens; null is no. */
export const forOnePerson = /* sql */ `
  alter table installation add column for_one_person boolean;
`;
