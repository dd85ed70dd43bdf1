// Every control, by name. The order is that of the page; scenes are changed last.
import { drive } from './cases-drive.mjs';
import { picture } from './cases-picture.mjs';
import { panels } from './cases-panels.mjs';
import { scenes } from './cases-scenes.mjs';

export const list = { ...picture, ...drive, ...panels, ...scenes };
