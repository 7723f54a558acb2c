/** Which levels of a threshold raise an alarm. */

export interface Level {
  name: string;
  lowerLimit: number | null;
  upperLimit: number | null;
  transmissionInterval: 'NORMAL' | 'EVENT' | 'EMERGENCY';
  transmitImmediately: boolean;
  notificationActions: readonly unknown[];
  outputActions: readonly unknown[];
}

/** The rule of `Threshold.alarmLevel`: a level that notifies someone, switches an output or makes the device send more. */
export function raisesAlarm(level: Level): boolean {
  const startsActions = level.notificationActions.length > 0 || level.outputActions.length > 0;
  return startsActions || level.transmissionInterval !== 'NORMAL' || level.transmitImmediately;
}
