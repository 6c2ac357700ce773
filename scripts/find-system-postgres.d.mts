export declare function findSystemPostgres(): { initdb: string; postgres: string } | undefined;
