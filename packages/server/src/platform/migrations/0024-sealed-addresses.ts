/** Addresses of saved servers are sealed. No key is at hand here, so the rows that are there are sealed at the next start. */
export const sealedAddresses = /* sql */ `
  alter table servers
    add column sealed_addresses bytea,
    drop constraint servers_check,
    add check (transport_type = 'stdio' or url is not null or sealed_addresses is not null);
`;
