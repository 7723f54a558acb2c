/** Programs that embed the gateway import these: `const app = await startApp(readConfig({ PORT: '0' }))`. */

/** The checked settings. */
export interface Config {
  readonly host: string;
  readonly port: number;
}

export interface GatewayApp {
  /** Address that it listens on. */
  url: string;
  /** The platform that the gateway calls: the configured one, or the sandbox. */
  platformUrl: string;
  /** Completes requests in flight for up to 10 s. */
  stop(): Promise<void>;
}

/**
 * Reads settings by their names in docs/configuration.md.
 * @param environment Default: `process.env`.
 * @throws an error that lists every problem.
 */
export function readConfig(environment?: Readonly<Record<string, string | undefined>>): Config;

/** Starts the gateway, and the embedded sandbox if no platform is configured. Pass what `readConfig` returned. */
export function startApp(config: Config): Promise<GatewayApp>;
