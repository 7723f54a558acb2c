/** The problems that reading an environment reports. */
import { readConfig } from '../../../src/config/config.js';
import type { Environment } from '../../../src/config/settings.js';
import { ConfigError } from '../../../src/lib/startupErrors.js';

export function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
