/* Runs in the page. Without it everything can be read; it adds the address, copying, the filter and the mark. */
const links = [...document.querySelectorAll('nav a')];
const menu = document.querySelector('nav');
const told = document.querySelector('#told');

// The examples are for the service that served the page.
if (location.protocol.startsWith('http')) {
  for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin;
}

for (const caption of document.querySelectorAll('figure.code figcaption')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${caption.textContent}`);
  button.addEventListener('click', () => void copy(caption.nextElementSibling, button));
  caption.append(button);
}

async function copy(code, button) {
  const done = await writeText(code);
  button.textContent = done ? 'Copied' : 'Selected';
  told.textContent = done ? 'Copied' : 'Selected: copy it with your keyboard';
  setTimeout(() => {
    button.textContent = 'Copy';
    told.textContent = '';
  }, 2000);
}

/** Browsers give the clipboard to https and to this machine alone; elsewhere the code is selected. */
async function writeText(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}

const filter = document.querySelector('#filter');
filter.parentElement.hidden = false;
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const link of links) {
    const text = `${link.textContent} ${link.dataset.path ?? ''}`.toLowerCase();
    const isWanted = words.every((word) => text.includes(word));
    link.parentElement.hidden = !isWanted;
    if (isWanted) count += 1;
  }
  for (const group of menu.querySelectorAll('details')) {
    group.hidden = group.querySelector('li:not([hidden])') === null;
    if (filter.value !== '') group.open = true;
  }
  document.querySelector('#filter-result').textContent =
    filter.value === '' ? '' : `${count === 0 ? 'Nothing' : count} found`;
});
filter.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') menu.querySelector('li:not([hidden]) a')?.click();
  if (event.key !== 'Escape' || filter.value === '') return;
  event.preventDefault();
  filter.value = '';
  filter.dispatchEvent(new Event('input'));
});
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement?.matches('input') === true;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (getComputedStyle(menu).display === 'none') menu.showPopover();
  filter.focus();
});
menu.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null && menu.matches(':popover-open')) menu.hidePopover();
});

// The mark is on the last link whose place begins above the upper third of the window.
const places = links.map((link) => document.querySelector(link.hash));
let marked;
function mark() {
  const line = innerHeight / 3;
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const last = places.findLastIndex((place) => place.getBoundingClientRect().top < line);
  const link = links[isAtEnd ? links.length - 1 : Math.max(0, last)];
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'location');
  marked = link;
  document.querySelector('.here').textContent = link.firstChild.textContent;
  showMark();
}
/** Only the menu scrolls; scrollIntoView would move the page, too. */
function showMark() {
  const { top, bottom } = marked.getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) menu.scrollTop += top - box.top - box.height / 3;
}
menu.addEventListener('toggle', showMark);
let isDue = false;
addEventListener(
  'scroll',
  () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mark();
    });
  },
  { passive: true },
);
mark();
