export declare const youngSpace: readonly string[];
