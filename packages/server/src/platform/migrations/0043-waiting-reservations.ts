/** A trial that waits for credits holds only what it has spent already: others do not wait for it in turn. */
export const waitingReservations = /* sql */ `
  alter table credit_reservations add column is_waiting boolean not null default false;
`;
