import type { Secret } from '../core/secret.js';
import type { CorsSettings, Endpoint, Provider, Scope, Search, TrafficLimit } from '../core/settings.js';

/** The part of the configuration that concerns projects. `Config` has this form. */
export interface DirectoryFile {
  providers: ReadonlyMap<string, Provider>;
  projects: readonly {
    /** The uid of the project, in lower case. */
    uid: string;
    name: string;
    keys: readonly {
      name: string;
      secret: Secret;
      scopes: readonly Scope[];
      endpoints?: readonly string[];
    }[];
    endpoints: readonly Endpoint[];
    retention_days?: number;
    /** What `q` searches; `recent` by default. */
    search?: Search;
    limits?: readonly TrafficLimit[];
    cors?: CorsSettings;
  }[];
  adminKeys: readonly { name: string; secret: Secret }[];
}
