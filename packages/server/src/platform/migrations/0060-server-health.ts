/** What the last examination of each server found, in closed words alone. */
export const serverHealth = /* sql */ `
  alter table servers
    add column health_status text check (health_status in ('ready', 'oauth_required', 'partial', 'error')),
    add column health_failed_check text,
    add column health_checked_at timestamptz(3),
    add check ((health_status is null) = (health_checked_at is null));
`;
