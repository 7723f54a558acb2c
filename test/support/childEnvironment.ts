/** The environment of child processes: of the surrounding one only the path and the settings of the clock. */
const PASSED_ON = ['PATH', 'TZ', 'NODE_OPTIONS', 'TEST_CLOCK_SHIFT_MS'] as const;

export function childEnvironment(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
