"""SDL_image, by way of pygame."""

import pam

with pam.needed():
    import pygame


def read(file):
    picture = pygame.image.load(file)
    width, height = picture.get_size()
    return width, height, 4, 255, pygame.image.tostring(picture, "RGBA")


pam.run(read)
